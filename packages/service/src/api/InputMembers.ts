/** Returns the members of a flat input that a schema declares, for example only the members of the request body. */
export const pickMembers = <I extends object, F extends object>(
  input: I,
  { fields }: { readonly fields: F }
): Pick<I, keyof F & keyof I> =>
  Object.fromEntries(Object.entries(input).filter(([name]) => name in fields)) as Pick<I, keyof F & keyof I> // oxlint-disable-line typescript/no-unsafe-type-assertion -- fromEntries forgets the keys that the filter let through
