import { z } from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'

// Values read with these were parsed from JSON, so the members of an object need no validation as JSON: an event
// carries whole files, is decoded for every tool call, and may nest deeper than the stack, on which `z.json()`
// recurses. The messages name the expected kind.
export const anObject = z.custom<JsonObject>(isJsonObject, 'an object')
export const anything = z.custom<Json>((value) => value !== undefined, 'a value')
