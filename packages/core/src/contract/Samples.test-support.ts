/** Resources as a forge sends them. */
import { User } from "./User.ts"

export const sha = "aa218f56b14c9653891f9e74264a383fa43fefbd"

/** A reference as a forge sends it. */
export const gitRef = (ref: string) => ({
  ref,
  node_id: "n",
  url: `https://forge.test/git/${ref}`,
  object: { type: "commit", sha, url: "https://forge.test/c" }
})

/** An account as a forge sends it. */
export const user = (login: string) => ({
  ...Object.fromEntries(
    Object.keys(User.fields).map((name) => [
      name,
      name.endsWith("_url") || name === "url" ? `https://forge.test/${name}` : ""
    ])
  ),
  login,
  id: 1,
  type: "User",
  site_admin: false,
  hireable: null,
  public_repos: 0,
  public_gists: 0,
  followers: 0,
  following: 0,
  private_gists: 0,
  total_private_repos: 0,
  owned_private_repos: 0,
  disk_usage: 0,
  collaborators: 0,
  created_at: "2020-01-01T00:00:00Z",
  updated_at: "2020-01-01T00:00:00Z",
  two_factor_authentication: true
})
