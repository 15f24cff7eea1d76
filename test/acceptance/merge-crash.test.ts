import { it } from "vitest"
import { expectMergeCrashRecovery } from "./MergeCrash.test-support.ts"

it("SIGKILLs during merges leave no half merge", { timeout: 600_000 }, () => expectMergeCrashRecovery(3))
