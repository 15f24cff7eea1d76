import { it } from "vitest"
import { seed } from "./ClockJumps.test-support.ts"
import { expectMergeCrashRecovery } from "./MergeCrash.test-support.ts"

it(`100 SIGKILLs during merges leave no half merge (TONGS_TEST_SEED=${seed})`, { timeout: 1_800_000 }, () =>
  expectMergeCrashRecovery(100)
)
