/** Services that an order needs: the first mail of each order fails. */
const [charged, mailed] = [new Map<string, number>(), new Map<string, number>()];

export async function charge(order: string, cents: number): Promise<string> {
  charged.set(order, (charged.get(order) ?? 0) + 1);
  if (charged.get(order) !== 1) throw new Error(`expected one charge of ${cents} cents for ${order}, got a second`);
  return `charge of ${order}`;
}

export async function mail(order: string): Promise<void> {
  mailed.set(order, (mailed.get(order) ?? 0) + 1);
  if (mailed.get(order) === 1) throw new Error(`the mail of ${order} was not taken`);
}
