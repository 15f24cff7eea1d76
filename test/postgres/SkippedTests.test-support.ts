/** Skips all tests of a file that runs on PostgreSQL if there is no server. */
import { beforeEach } from "vitest"

if (process.env["TONGS_TEST_POSTGRES"] === undefined) beforeEach(({ skip }) => skip("no PostgreSQL server"))
