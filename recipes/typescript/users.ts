// The data of the servers.
const NAMES = ["Ann", "Bo", "Cleo", "Dev", "Eve"];

export interface User {
  id: number;
  name: string;
  city: string;
}

export const usersOf = (city: string): User[] => NAMES.map((name, index) => ({ id: index + 1, name, city }));
