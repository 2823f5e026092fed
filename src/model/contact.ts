import { z } from 'zod'
import { limits } from './limits.ts'

/** Whom to ask for an exception: one line for people and models, shown as it is. */
export const Contact = z
  .string()
  .max(limits.contactCharactersMax)
  .regex(/^(?=.*\S)[^\p{Cc}\p{Cf}]+$/u, { error: 'must be one line of text' })
