import { it } from "vitest"
import { seed } from "./ClockJumps.test-support.ts"
import { expectForkCrashRecovery } from "./ForkCrash.test-support.ts"

it(
  `30 SIGKILLs during forks, copies of templates and transfers lose no repository (TONGS_TEST_SEED=${seed})`,
  { timeout: 1_800_000 },
  () => expectForkCrashRecovery(30)
)
