/** The transport of all clients: responds at once from memory, like `fetch`. */

export const BASE_URL = "https://forge.example"
export const TOKEN = "bench"

const sha = (index: number) => index.toString(16).padStart(40, "0")

const account = {
  login: "ada",
  id: 1,
  node_id: "VXNlcjox",
  avatar_url: `${BASE_URL}/avatars/u/1`,
  avatar_service_id: "",
  url: `${BASE_URL}/users/ada`,
  html_url: `${BASE_URL}/ada`,
  followers_url: `${BASE_URL}/users/ada/followers`,
  following_url: `${BASE_URL}/users/ada/following{/other_user}`,
  gists_url: `${BASE_URL}/users/ada/gists{/gist_id}`,
  starred_url: `${BASE_URL}/users/ada/starred{/owner}{/repo}`,
  subscriptions_url: `${BASE_URL}/users/ada/subscriptions`,
  organizations_url: `${BASE_URL}/users/ada/orgs`,
  repos_url: `${BASE_URL}/users/ada/repos`,
  events_url: `${BASE_URL}/users/ada/events{/privacy}`,
  received_events_url: `${BASE_URL}/users/ada/received_events`,
  type: "User",
  site_admin: false
}

const commit = (index: number) => {
  const repository = `${BASE_URL}/repos/ada/bench`
  const signature = { name: "Ada", email: "ada@example.com", date: "2026-01-01T00:00:00Z" }
  return {
    sha: sha(index),
    node_id: `Commit:${index}`,
    url: `${repository}/commits/${sha(index)}`,
    html_url: `${BASE_URL}/ada/bench/commit/${sha(index)}`,
    comments_url: `${repository}/commits/${sha(index)}/comments`,
    commit: {
      url: `${repository}/git/commits/${sha(index)}`,
      author: signature,
      committer: signature,
      message: `Change ${index} of the file\n\nWith a body, as commits have one.\n`,
      comment_count: 0,
      tree: { sha: sha(index + 1000), url: `${repository}/git/trees/${sha(index + 1000)}` },
      verification: { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null }
    },
    author: account,
    committer: account,
    parents: [
      {
        sha: sha(index + 1),
        url: `${repository}/commits/${sha(index + 1)}`,
        html_url: `${BASE_URL}/ada/bench/commit/${sha(index + 1)}`
      }
    ]
  }
}

const headers = { "content-type": "application/json; charset=utf-8" }

/** Without rate-limit headers, so that clients do not wait. */
const pageHeaders = { ...headers, link: `<${BASE_URL}/repos/ada/bench/commits?per_page=30&page=2>; rel="next"` }

const commits = JSON.stringify(Array.from({ length: 30 }, (_, index) => commit(index)))

const ref = JSON.stringify({
  ref: "refs/heads/main",
  node_id: "Ref:1",
  url: `${BASE_URL}/repos/ada/bench/git/refs/heads/main`,
  object: { type: "commit", sha: sha(1), url: `${BASE_URL}/repos/ada/bench/git/commits/${sha(1)}` }
})

/** A forge without limits has no resource for rate limits. */
const missing = JSON.stringify({ message: "Not Found" })

export const respond = (url: string): Response => {
  if (url.includes("/commits")) return new Response(commits, { status: 200, headers: pageHeaders })
  if (url.includes("/git/ref/")) return new Response(ref, { status: 200, headers })
  return new Response(missing, { status: 404, headers })
}
