/** Masks the secrets in an answer before the cut: a cut in a secret would leave a part of the secret. */
import { mapStrings } from "../text/SafeText.ts"
import * as SecretMask from "../text/SecretMask.ts"
import type { Answer, Item } from "./Answer.ts"

/** Returns the answer without secrets. `maskCredential` masks the tokens that the client of the forge sends. */
export const make = (answer: Answer, maskCredential: SecretMask.MaskCredential): Answer => {
  const mask = (text: string) => SecretMask.mask(text, maskCredential)
  // The client of the forge has masked the rest of the result, but not the text of files.
  const maskItem = answer.isContent === true ? maskCredential : mask
  const maskData = (data: unknown) =>
    answer.isContent === true ? mapStrings(data, maskItem) : SecretMask.maskValue(data, maskCredential)
  return {
    ...answer,
    source: Object.fromEntries(
      Object.entries(answer.source).map(([name, value]) => [name, typeof value === "string" ? mask(value) : value])
    ),
    items: answer.items.map((item): Item => ({
      ...item,
      text: maskItem(item.text),
      data: maskData(item.data),
      ...(item.heading === undefined ? {} : { heading: maskItem(item.heading) })
    })),
    ...(answer.notes === undefined ? {} : { notes: answer.notes.map(mask) })
  }
}
