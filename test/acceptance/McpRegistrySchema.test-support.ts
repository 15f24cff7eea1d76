/** The rules of the MCP registry for the members that `server.json` uses (schema of 2025-12-11). */

const text = (maxLength: number) => ({ type: "string", minLength: 1, maxLength })

const input = {
  description: { type: "string" },
  format: { enum: ["string", "number", "boolean", "filepath"] },
  value: { type: "string" },
  isRequired: { type: "boolean" },
  isSecret: { type: "boolean" }
}

const positionalArgument = {
  type: "object",
  required: ["type", "value"],
  properties: { ...input, type: { const: "positional" } },
  additionalProperties: false
}

const namedArgument = {
  type: "object",
  required: ["type", "name"],
  properties: { ...input, type: { const: "named" }, name: { type: "string" }, isRepeated: { type: "boolean" } },
  additionalProperties: false
}

const environmentVariable = {
  type: "object",
  required: ["name"],
  properties: { ...input, name: { type: "string" } },
  additionalProperties: false
}

const onePackage = {
  type: "object",
  required: ["registryType", "identifier", "version", "transport"],
  properties: {
    registryType: { enum: ["npm", "pypi", "oci", "nuget", "mcpb"] },
    identifier: text(200),
    version: { ...text(255), pattern: "^\\d+\\.\\d+\\.\\d+" },
    runtimeHint: { type: "string" },
    transport: {
      type: "object",
      required: ["type"],
      properties: { type: { const: "stdio" } },
      additionalProperties: false
    },
    packageArguments: { type: "array", items: { anyOf: [positionalArgument, namedArgument] } },
    environmentVariables: { type: "array", items: environmentVariable }
  },
  additionalProperties: false
}

/** The schema, as a value for Ajv. */
export const registrySchema = {
  type: "object",
  required: ["$schema", "name", "description", "version"],
  properties: {
    $schema: { const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" },
    name: { ...text(200), minLength: 3, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
    title: text(100),
    description: text(100),
    version: text(255),
    packages: { type: "array", items: onePackage }
  },
  additionalProperties: false
}
