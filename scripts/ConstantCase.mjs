/** oxlint rule `tongs/constant-case`: a constant with a fixed number, text or boolean has a name in CONSTANT_CASE. */

const constantCase = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/
const arithmetic = new Set(["+", "-", "*", "/", "%", "**", "<<", ">>", ">>>", "|", "&", "^"])

/** True for `String.raw`. @param {any} tag @returns {boolean} */
const isRaw = (tag) => tag.type === "MemberExpression" && tag.object.name === "String" && tag.property.name === "raw"

/**
 * True if an expression consists of literals and constants. A name in CONSTANT_CASE counts as a constant, because a rule
 * sees one file. @param {any} node @returns {boolean}
 */
const isFixed = (node) => {
  switch (node.type) {
    case "Literal":
      return node.regex === undefined && node.value !== null
    case "Identifier":
      return constantCase.test(node.name)
    case "MemberExpression":
      return !node.computed && constantCase.test(node.property.name)
    case "UnaryExpression":
      return isFixed(node.argument)
    case "BinaryExpression":
      return arithmetic.has(node.operator) && isFixed(node.left) && isFixed(node.right)
    case "TemplateLiteral":
      return node.expressions.every(isFixed)
    case "TaggedTemplateExpression":
      return isRaw(node.tag) && isFixed(node.quasi)
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return isFixed(node.expression)
    default:
      return false
  }
}

/** Reports the module's constants whose names have the wrong case. @param {any} context */
const create = (context) => ({
  /** @param {any} program */
  Program(program) {
    for (const statement of program.body) {
      const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
      if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const" || declaration.declare) continue
      for (const { id, init } of declaration.declarations) {
        if (id.type !== "Identifier" || !init) continue
        const isConstant = isFixed(init)
        // A single capital letter is right in both cases.
        if (constantCase.test(id.name) !== isConstant && (isConstant || id.name.length > 1)) {
          const expected = isConstant ? "CONSTANT_CASE" : "camelCase"
          context.report({ node: id, message: `Rename the constant ${id.name} to ${expected}.` })
        }
      }
    }
  }
})

export default { meta: { name: "tongs" }, rules: { "constant-case": { create } } }
