import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { run } from "./run.mjs"
import { node, root } from "./workspace.mjs"

/** Returns the spellings that the rule reports in a file. @param {string} text */
const lint = async (text) => {
  const folder = mkdtempSync(join(tmpdir(), "tongs-lint-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = { jsPlugins: [join(root, "scripts/PortableSql.mjs")], rules: { "storage/portable-sql": "error" } }
  writeFileSync(join(folder, ".oxlintrc.json"), JSON.stringify({ ...config, categories: { correctness: "off" } }))
  writeFileSync(join(folder, "Rows.ts"), text)
  const { output } = await run("linting", node, [join(root, "node_modules/oxlint/bin/oxlint"), "--format=json"], {
    cwd: folder
  })
  return JSON.parse(output).diagnostics.map(
    (/** @type {{ message: string }} */ { message }) => /^"(.*?)" differs/.exec(message)?.[1] ?? message
  )
}

it("reports SQL that only one database understands, and questions for the database", async () => {
  const statements = [
    "SELECT value FROM json_each(${ids})",
    "SELECT json_group_array(id) FROM users",
    "SELECT a -> 'b', jsonb_array_length(c) FROM users",
    "SELECT id FROM users WHERE login = ${login} COLLATE NOCASE",
    "INSERT OR IGNORE INTO users DEFAULT VALUES",
    "SELECT rowid FROM users",
    "SELECT strftime('%s', created_at) FROM users",
    "SELECT id FROM users WHERE datetime(created_at) < ${time}",
    "SELECT id::text FROM users",
    "SELECT ${column}::text FROM users",
    "SELECT pg_current_snapshot()",
    "SELECT id FROM users INDEXED BY users_by_login",
    "SELECT id FROM users WHERE login ILIKE ${login}"
  ]
  const reported = [
    "json_each",
    "json_group_array",
    "jsonb_array_length",
    "COLLATE",
    "INSERT OR IGNORE",
    "rowid",
    "strftime(",
    "datetime(",
    "::text",
    "::text",
    "pg_current_snapshot",
    "INDEXED BY",
    "ILIKE"
  ]
  expect(await lint(statements.map((one) => `void sql\`${one}\``).join("\n"))).toEqual(reported)
  expect(await lint('void sql.literal("SELECT json_extract(a, b) FROM users")')).toEqual(["json_extract"])
  expect(await lint("void sql.literal(`SELECT ${name} COLLATE NOCASE`)")).toEqual(["COLLATE"])
  expect(await lint("sql.onDialectOrElse({ orElse: () => 1 })")).toEqual(["Only storage/ asks for the database (sql)."])
})

it("reports no SQL of both databases, and no other text", async () => {
  const texts = [
    "sql`INSERT INTO hooks ${sql.insert(row)} ON CONFLICT (id) DO UPDATE SET url = excluded.url RETURNING id`",
    "sql`SELECT CAST(id AS text), coalesce(name, login) FROM users WHERE login LIKE ${prefix} ORDER BY id LIMIT 1`",
    '"a rowid of pg_catalog::text"',
    '"std::vector"',
    "datetime(1)"
  ]
  expect(await lint(texts.map((text) => `void ${text}`).join("\n"))).toEqual([])
})
