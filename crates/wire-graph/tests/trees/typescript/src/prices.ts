export interface Money {
  cents: number;
}

export interface Price<M = Money> {
  of: M;
}

export function total(items: string[]): Money {
  return { cents: items.length };
}
