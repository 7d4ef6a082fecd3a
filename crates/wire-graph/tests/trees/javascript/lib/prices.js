export function total(items) {
  return items.map((item) => rate(item)).length;
}

function rate(item) {
  return item.price;
}
