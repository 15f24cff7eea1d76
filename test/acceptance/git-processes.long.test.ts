import { it } from "vitest"
import { expectNoGitAfterDisconnects } from "./GitProcesses.test-support.ts"

it.skipIf(process.platform !== "linux")(
  "200 pushes that disconnect leave no git process after two seconds",
  { timeout: 1_200_000 },
  () => expectNoGitAfterDisconnects(200)
)
