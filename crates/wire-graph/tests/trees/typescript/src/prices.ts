export interface Money {
  cents: number;
}

export function total(items: string[]): Money {
  return { cents: items.length };
}
