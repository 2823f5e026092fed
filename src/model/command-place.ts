import { z } from 'zod'

/**
 * Where commands will run that a call does not run itself: on this machine, by a program that nobody asks to (`machine`)
 * or by a person who names them (`recipe`), in continuous integration (`ci`), in a container, or by another agent whose
 * prompt asks for them (`prompt`).
 */
export const CommandPlace = z.enum(['machine', 'recipe', 'ci', 'container', 'prompt'])
export type CommandPlace = z.infer<typeof CommandPlace>
