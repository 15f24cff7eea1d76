/** Secrets of environments, for the workflows that deploy to them. */
import * as Group from "../Group.ts"
import { environmentPath } from "../Parameters.ts"
import type * as Operation from "../Operation.ts"
import * as Secret from "./Secret.ts"

const environments = (access: Operation.Access, level: "read" | "write") =>
  ({
    permission: [[{ target: "repository", category: "environments", level }]],
    scopes: ["repo"],
    privateScopes: ["repo"],
    access
  }) as const // literal types

/** Endpoints of secrets of environments. */
export class EnvironmentSecrets extends Group.make("environmentSecrets", () =>
  Secret.endpoints({
    id: "environment",
    words: "an environment",
    path: "/repos/:owner/:repo/environments/:environment_name",
    params: environmentPath,
    item: Secret.Secret,
    list: Secret.SecretList,
    input: Secret.secretInput,
    reads: environments("write", "read"),
    writes: environments("administer", "write"),
    readsKey: environments("read", "read")
  })
) {}
