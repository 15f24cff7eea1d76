import { it } from "vitest"
import { expectCrashRecovery } from "./CrashRecovery.test-support.ts"

it("15 times SIGKILL under writes and deliveries: nothing acknowledged is lost", { timeout: 600_000 }, () =>
  expectCrashRecovery(15)
)
