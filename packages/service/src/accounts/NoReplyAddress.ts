/** The address of commits that an account makes here and whose own address is private: `7+octo@users.noreply.localhost`. */

/** Returns the address of an account. */
export const of = ({ id, login }: { readonly id: number; readonly login: string }): string =>
  `${id}+${login}@users.noreply.localhost`

/** Returns the account that an address names, which may not exist; undefined for any other address. */
export const parse = (email: string): { readonly id: number; readonly login: string } | undefined => {
  const [, id, login] = /^(\d{1,15})\+([A-Za-z0-9-]+(?:\[bot\])?)@users\.noreply\.localhost$/i.exec(email) ?? []
  return id === undefined || login === undefined ? undefined : { id: Number(id), login }
}
