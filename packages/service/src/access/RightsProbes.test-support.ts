/** Requests about one repository, with the role that each needs. */
import type * as Model from "./RightsModel.test-support.ts"

export interface Probe {
  readonly name: string
  readonly method: string
  /** Path for the full name of a repository. */
  readonly path: (fullName: string) => string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly least: Model.Role
  /** The status for callers with the role. */
  readonly status: number
  /** False if anonymous callers need an account, also for a public repository. */
  readonly anonymous?: boolean
  /** True if the path is one of git, with basic authentication. */
  readonly git?: boolean
  /** True if the probe also asks with the entity tag that another response had. */
  readonly tagged?: boolean
  /** True if only callers without the role send it: the test forge cannot read the stream of an exchange. */
  readonly onlyRefused?: boolean
}

const rest = (suffix: string) => (fullName: string) => `/repos/${fullName}${suffix}`
const git = (suffix: string) => (fullName: string) => `/${fullName}.git/${suffix}`

const read = (name: string, suffix: string, status = 200): Probe => ({
  name,
  method: "GET",
  path: rest(suffix),
  least: "read",
  status,
  anonymous: true,
  tagged: status === 200
})

/** Reads that need a role above that of everyone in a public repository. */
const inside = (name: string, suffix: string, least: Model.Role): Probe => ({
  name,
  method: "GET",
  path: rest(suffix),
  least,
  status: 200
})

const write = (
  name: string,
  method: string,
  suffix: string,
  least: Model.Role,
  status: number,
  body: object
): Probe => ({
  name,
  method,
  path: rest(suffix),
  least,
  status,
  body
})

const exchange = (service: string, least: Model.Role): ReadonlyArray<Probe> => [
  {
    name: `advertisement of ${service}`,
    method: "GET",
    path: git(`info/refs?service=${service}`),
    least,
    status: 200,
    git: true,
    anonymous: least === "read"
  },
  {
    name: service,
    method: "POST",
    path: git(service),
    body: "0000",
    headers: { "content-type": `application/x-${service}-request` },
    least,
    status: 200,
    git: true,
    anonymous: least === "read",
    onlyRefused: true
  }
]

/** The probes; `serial` makes the names of what they add unique. */
export const probes = (serial: string): ReadonlyArray<Probe> => [
  read("contents", "/contents"),
  read("file", "/contents/marker.txt"),
  read("tree", "/git/trees/main"),
  read("commits", "/commits"),
  read("issue", "/issues/1"),
  read("comments", "/issues/1/comments"),
  read("labels", "/labels"),
  read("events", "/events"),
  read("archive", "/tarball/main", 302),
  read("archive of the default branch", "/zipball", 302),
  ...exchange("git-upload-pack", "read"),
  ...exchange("git-receive-pack", "write"),
  write("comment", "POST", "/issues/1/comments", "read", 201, { body: "Read" }),
  write("subscription", "PUT", "/subscription", "read", 200, { subscribed: true }),
  { name: "star", method: "PUT", path: (name) => `/user/starred/${name}`, least: "read", status: 204 },
  write("labels of an issue", "POST", "/issues/1/labels", "triage", 200, { labels: ["bug"] }),
  write("label", "POST", "/labels", "write", 201, { name: `label-${serial}`, color: "ededed" }),
  write("blob", "POST", "/git/blobs", "write", 201, { content: "text", encoding: "utf-8" }),
  write("topics", "PUT", "/topics", "maintain", 200, { names: ["topic"] }),
  inside("collaborators", "/collaborators", "write"),
  inside("invitations", "/invitations", "admin"),
  inside("webhooks", "/hooks", "admin")
]
