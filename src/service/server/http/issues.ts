import type { z } from 'zod'
import { limits } from '../../../model/limits.ts'
import { printable } from '../../../model/text.ts'

/** Says what is wrong with a request's body. */
export const issuesOf = ({ issues }: z.ZodError): string =>
  printable(
    issues
      .slice(0, limits.wrongFieldsNamedMax)
      .map(({ path, message }) =>
        [path.map(String).join('.'), message.toLowerCase()].filter((part) => part !== '').join(': '),
      )
      .join('; '),
  ).slice(0, issuesCharactersMax)
/** Bounds the message: an unknown key that it quotes may be as long as the body. */
const issuesCharactersMax = 500
