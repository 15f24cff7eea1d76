/** Fixtures of custom properties. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { NewCustomProperty } from "@tongs/core/contract/groups/CustomProperties"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { CustomPropertyRows } from "../../repositories/CustomPropertyRows.ts"
import * as PropertyValidation from "./PropertyValidation.ts"

/** Section `custom_properties`: definitions. Rows of repositories have the values. */
export const sections = () => [
  FixtureSection.make(
    "custom_properties",
    Schema.Struct({
      organization: Schema.String,
      property_name: Schema.String,
      ...NewCustomProperty.fields
    }),
    ({ organization, property_name }) => [
      FixtureSection.identity(
        "property_name",
        FixtureSection.foldCase(organization),
        FixtureSection.foldCase(property_name)
      )
    ],
    Effect.fnUntraced(function* ({ organization, property_name, ...given }) {
      const { id } = yield* FixtureSection.organization("organization", organization)
      const definition = yield* PropertyValidation.definitionOf(id, property_name, given).pipe(
        Effect.catch(({ errors }) =>
          FixtureSection.failAt(errors[0]?.field ?? "property_name", errors[0]?.message ?? "invalid")
        )
      )
      yield* (yield* CustomPropertyRows).set(definition)
    })
  )
]
