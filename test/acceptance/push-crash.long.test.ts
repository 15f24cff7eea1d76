import { it } from "vitest"
import { expectPushCrashRecovery } from "./PushCrash.test-support.ts"

it("100 SIGKILLs during pushes lose no acknowledged push", { timeout: 1_800_000 }, () => expectPushCrashRecovery(100))
