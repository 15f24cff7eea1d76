import { type ReactNode, useMemo } from "react"
import * as NameCard from "../../model/NameCard.ts"
import type * as WindowContent from "../../model/WindowContent.ts"
import { ScrollView } from "./ScrollView.tsx"
import { Gap, Paragraph, StyledText } from "./StyledText.tsx"

/** The definition of a name: its lines, its comment, where it is, and how often it is used. */
export const CardWindow = ({ content: { card, top } }: { readonly content: WindowContent.Card }): ReactNode => {
  const { code, counts, documentation, doubt, limit, place } = useMemo(() => NameCard.parts(card), [card])
  return (
    <ScrollView top={top}>
      {doubt !== undefined && <Paragraph text={doubt} role="warning" />}
      {code.map((line, index) => (
        <StyledText key={index} line={line} wrap="wrap" />
      ))}
      {documentation !== undefined && (
        <>
          <Gap />
          <Paragraph text={documentation} />
        </>
      )}
      <Gap />
      <Paragraph text={place} role="accent" />
      <Paragraph text={counts} role="muted" />
      {limit !== undefined && <Paragraph text={limit} role="warning" />}
    </ScrollView>
  )
}
