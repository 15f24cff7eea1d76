import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import * as LicenseFile from "./LicenseFile.ts"

const keyOf = (text: string) => LicenseFile.detect(text).key

it("detects licenses by their text, also with other line breaks", () => {
  const own = readFileSync(new URL("../../../../LICENSE", import.meta.url), "utf8")
  assert.strictEqual(keyOf(own), "mit")
  assert.strictEqual(keyOf(own.replaceAll(/\s+/g, "\n")), "mit")
  const redistribution =
    "Redistribution and use in source and binary forms, with or without modification, are permitted"
  assert.strictEqual(keyOf(redistribution), "bsd-2-clause")
  assert.strictEqual(keyOf(`${redistribution}. Neither the name of the copyright holder`), "bsd-3-clause")
  assert.strictEqual(
    keyOf("                    GNU GENERAL PUBLIC LICENSE\n                       Version 3, 29 June 2007"),
    "gpl-3.0"
  )
  assert.strictEqual(keyOf("GNU LESSER GENERAL PUBLIC LICENSE\nVersion 2.1, February 1999"), "lgpl-2.1")
  assert.strictEqual(keyOf("Apache License\nVersion 2.0, January 2004"), "apache-2.0")
  assert.strictEqual(keyOf("Mozilla Public License, version 2.0"), "mpl-2.0")
  const any = "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee"
  assert.strictEqual(keyOf(any), "0bsd")
})

it("is other for a text of its own", () => {
  assert.deepInclude(LicenseFile.detect("All rights reserved."), { key: "other", spdx_id: "NOASSERTION" })
})
