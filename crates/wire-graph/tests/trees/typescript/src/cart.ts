import { Money, total } from "./prices";

export interface Shown {
  show(): string;
}

export type Items = string[];

export enum State {
  Open,
}

abstract class Base {
  abstract price(): Money;
}

export class Cart extends Base implements Shown {
  constructor(private items: Items) {
    super();
  }

  price(): Money {
    return total(this.items);
  }

  show(): string {
    return String(this.price());
  }
}

export const open = (items: Items): Cart => new Cart(items);
