import { z } from 'zod'

/** Characters of `contact`: it is added to every refusal, which a model reads. */
const contactCharactersMax = 300

/** Whom to ask for an exception: one line for people and models, shown as it is. */
export const Contact = z
  .string()
  .max(contactCharactersMax)
  .regex(/^(?=.*\S)[^\p{Cc}\p{Cf}]+$/u, { error: 'must be one line of text' })
