import { total } from "./prices.js";

export class Cart {
  constructor(items) {
    this.items = items;
  }

  price() {
    return total(this.items);
  }

  show() {
    return `${this.price()} ${label()}`;
  }
}

const label = () => "items";

export function open() {
  const cart = new Cart([]);
  return cart.show();
}
