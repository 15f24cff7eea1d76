/**
 * oxlint rule `storage/portable-sql`: SQL that only one of the databases understands is in `storage/SqlFragments.ts`.
 * Reports spellings in the texts of a file, and questions for the database.
 */

/** Spellings of SQLite and of PostgreSQL. */
const spellings = [
  /\bjson_(?:each|tree|group_array|group_object|object|array|extract|agg|object_agg|build_\w+|array_elements\w*)\b/i,
  /\bjsonb(?:_\w+)?\b/i,
  /\bjson\s*\(/i,
  /\bCOLLATE\b/i,
  /\b(?:INSERT|UPDATE) OR (?:ABORT|FAIL|IGNORE|REPLACE|ROLLBACK)\b/i,
  /\bREPLACE INTO\b/i,
  /\b(?:INDEXED BY|NOT INDEXED|AUTOINCREMENT|WITHOUT ROWID|PRAGMA)\b/,
  /\b(?:rowid|sqlite_\w+|last_insert_rowid|total_changes|pg_\w+|information_schema|currval|nextval)\b(?!-)/,
  /\b(?:strftime|julianday|unixepoch|to_timestamp|to_char|date_trunc|group_concat|string_agg|array_agg|ifnull)\s*\(/i,
  /\bdate(?:time)?\s*\((?!\))/i,
  /\b(?:GLOB|ILIKE|SIMILAR TO|DISTINCT ON|FOR UPDATE|SKIP LOCKED|LIMIT ALL)\b/,
  /\b(?:ANY|unnest|generate_series)\s*\(/i,
  /(?<!:)::[a-z]\w*/
]

/** A text that is, or continues, a statement. */
const statement = /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|FROM|VALUES|RETURNING|ORDER BY|AND|OR|CAST|JOIN|SET|EXISTS)\b/

/** Tags of statements: `sql` and the client's generic calls. @param {any} tag @returns {boolean} */
const isSqlTag = (tag) => tag?.type === "Identifier" && tag.name === "sql"

/** @param {any} context */
const create = (context) => {
  /** @param {any} node @param {string} text */
  const check = (node, text) => {
    const found = spellings.map((spelling) => spelling.exec(text)?.[0]).find((word) => word !== undefined)
    if (found === undefined) return
    context.report({
      node,
      message: `"${found}" differs between SQLite and PostgreSQL. Add a function to SqlFragments.`
    })
  }
  return {
    /** @param {any} node */
    TaggedTemplateExpression(node) {
      if (!isSqlTag(node.tag)) return
      for (const quasi of node.quasi.quasis) check(quasi, quasi.value.raw)
    },
    /** @param {any} node */
    TemplateLiteral(node) {
      if (node.parent?.type === "TaggedTemplateExpression") return
      if (!node.quasis.some((/** @type {any} */ { value }) => statement.test(value.raw))) return
      for (const quasi of node.quasis) check(quasi, quasi.value.raw)
    },
    /** @param {any} node */
    Literal(node) {
      if (typeof node.value === "string" && statement.test(node.value)) check(node, node.value)
    },
    /** @param {any} node */
    MemberExpression({ object, property }) {
      if (!property.name?.startsWith("onDialect")) return
      context.report({ node: property, message: `Only storage/ asks for the database (${object.name ?? "sql"}).` })
    }
  }
}

export default { meta: { name: "storage" }, rules: { "portable-sql": { create } } }
