/** Finds the license file of a repository, and detects the license by text. */
import * as Effect from "effect/Effect"
import type { License } from "@tongs/core/contract/groups/Repository"
import type { GitRepository } from "../git/GitRepository.ts"
import { kindOfMode } from "../git/objects/Objects.ts"
import { nodeId } from "./NodeId.ts"
import type { Urls } from "./Urls.ts"

/** Phrases of each license that together appear in no other license of this list, the most specific license first. */
const licenses: ReadonlyArray<readonly [spdx: string, name: string, phrases: ReadonlyArray<string>]> = [
  ["AGPL-3.0", "GNU Affero General Public License v3.0", ["gnu affero general public license version 3"]],
  ["LGPL-3.0", "GNU Lesser General Public License v3.0", ["gnu lesser general public license version 3"]],
  ["LGPL-2.1", "GNU Lesser General Public License v2.1", ["gnu lesser general public license version 2.1"]],
  ["GPL-3.0", "GNU General Public License v3.0", ["gnu general public license version 3"]],
  ["GPL-2.0", "GNU General Public License v2.0", ["gnu general public license version 2"]],
  ["Apache-2.0", "Apache License 2.0", ["apache license version 2.0"]],
  ["MPL-2.0", "Mozilla Public License 2.0", ["mozilla public license version 2.0"]],
  ["EPL-2.0", "Eclipse Public License 2.0", ["eclipse public license - v 2.0"]],
  ["CC0-1.0", "Creative Commons Zero v1.0 Universal", ["cc0 1.0 universal"]],
  ["Unlicense", "The Unlicense", ["this is free and unencumbered software released into the public domain"]],
  ["BSL-1.0", "Boost Software License 1.0", ["boost software license - version 1.0"]],
  [
    "BSD-3-Clause",
    'BSD 3-Clause "New" or "Revised" License',
    ["redistribution and use in source and binary forms", "neither the name of"]
  ],
  ["BSD-2-Clause", 'BSD 2-Clause "Simplified" License', ["redistribution and use in source and binary forms"]],
  [
    "ISC",
    "ISC License",
    ["permission to use, copy, modify, and/or distribute this software for any purpose", "copyright notice"]
  ],
  [
    "0BSD",
    "BSD Zero Clause License",
    ["permission to use, copy, modify, and/or distribute this software for any purpose"]
  ],
  [
    "MIT",
    "MIT License",
    ["permission is hereby granted, free of charge, to any person obtaining a copy", 'the software is provided "as is"']
  ]
]

/** A license without the URL of its text. */
export type Detected = typeof License.Type

/** Maximum size of a license file in bytes. A larger file is an unknown license. */
const MAX_LICENSE = 256 * 1024

const shape = (key: string, name: string, spdx: string): Detected => ({
  key,
  name,
  spdx_id: spdx,
  url: null,
  node_id: nodeId("License", key)
})

/** Returns the license with this text, `other` for an unknown text. Ignores case, line breaks and commas of headings. */
export const detect = (text: string): Detected => {
  const plain = text
    .toLowerCase()
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[\s#*=]+/g, " ")
  const loose = plain.replaceAll(", version", " version")
  const found = licenses.find(([, , phrases]) => phrases.every((one) => plain.includes(one) || loose.includes(one)))
  if (found === undefined) return shape("other", "Other", "NOASSERTION")
  const [spdx, name] = found
  return shape(spdx.toLowerCase(), name, spdx)
}

/** Names of license files, the preferred first. */
const names = [
  /^(?:un)?licen[cs]e$/i,
  /^(?:un)?licen[cs]e\.(?:md|markdown|txt|rst|html)$/i,
  /^copying(?:\.(?:md|markdown|txt|rst))?$/i,
  /^licen[cs]e[-.].+$/i,
  /^.+[-.]licen[cs]e(?:\.(?:md|markdown|txt|rst))?$/i
]

/** Returns the path of the license file in the root of a repository. */
export const find = Effect.fnUntraced(function* (git: GitRepository, commit: string) {
  const root = yield* git.entryAt(commit, "")
  const entries = (root === undefined ? undefined : yield* git.tree(root.oid)) ?? []
  const files = entries.filter(({ mode }) => kindOfMode(mode) === "file" || kindOfMode(mode) === "symlink")
  for (const pattern of names) {
    const found = files.find(({ name }) => pattern.test(name))
    if (found !== undefined) return found.name
  }
  return undefined
})

/** Detects the license of a repository by the license file of a commit. Null without such a file. */
export const ofCommit = Effect.fnUntraced(function* (git: GitRepository, commit: string) {
  const path = yield* find(git, commit)
  const entry = path === undefined ? undefined : yield* git.entryAt(commit, path)
  if (entry === undefined) return null
  const blob = entry.kind === "file" ? yield* Effect.option(git.blob(entry.oid, MAX_LICENSE)) : undefined
  const bytes = blob?._tag === "Some" ? blob.value?.bytes : undefined
  return detect(bytes === undefined ? "" : Buffer.from(bytes).toString("utf8"))
})

/** Creates the license as a resource. */
export const resource = (license: Detected, { api }: Urls): typeof License.Type =>
  license.spdx_id === "NOASSERTION" ? license : { ...license, url: `${api}/licenses/${license.key}` }
