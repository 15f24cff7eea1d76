import { it } from "vitest"
import { seed } from "./ClockJumps.test-support.ts"
import { expectCollaborationCrashRecovery } from "./CollaborationCrash.test-support.ts"

it(
  `100 SIGKILLs during reviews, releases, runs and deployments lose no acknowledged data (TONGS_TEST_SEED=${seed})`,
  { timeout: 3_600_000 },
  () => expectCollaborationCrashRecovery(100)
)
