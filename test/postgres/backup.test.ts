import { it } from "vitest"
import { expectBackups } from "../acceptance/BackupUnderLoad.test-support.ts"

it("backs up a forge on PostgreSQL under load, and restores it to SQLite and PostgreSQL", expectBackups)
