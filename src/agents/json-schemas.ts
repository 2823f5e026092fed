import { z } from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts'

// What is read with these was parsed from JSON, so the members of an object need not be walked to know that they are
// JSON: an event carries whole files, is decoded for every tool call, and may nest deeper than the stack, on which
// `z.json()` recurses. The messages say what is wanted.
export const anObject = z.custom<JsonObject>(isJsonObject, 'an object')
export const anything = z.custom<Json>((value) => value !== undefined, 'a value')
