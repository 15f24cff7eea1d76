/** The credential of a git client. */

/**
 * Returns an `Authorization` header whose token is the password. Git sends the token as user name if the clone URL is
 * `https://TOKEN@HOST/…` or `https://TOKEN:x-oauth-basic@HOST/…`.
 */
export const normalize = (header: string | undefined): string | undefined => {
  const [, value] = /^\s*basic\s+(\S+)\s*$/i.exec(header ?? "") ?? []
  if (value === undefined) return header
  const [, name = "", password] = /^([^:]*):(.*)$/s.exec(Buffer.from(value, "base64").toString("utf8")) ?? []
  return name !== "" && (password === "" || password === "x-oauth-basic") ? `Bearer ${name}` : header
}
