import { createHmac, randomBytes } from 'node:crypto'
import { isSameSecret } from '../../../files/same-secret.ts'
import type { OpenRequest, RequestAnswer } from '../../../model/approval.ts'

/** Makes and reads the texts by which a person answers from outside. */
interface SignedAnswers {
  /** Returns the texts that approve and deny a request, as long as it is open. */
  textsFor(request: OpenRequest): Readonly<Record<RequestAnswer['answer'], string>>
  /** Returns what a text answers, once; `undefined` for any other text, and for one that was used or is over. */
  read(text: string): Pick<RequestAnswer, 'id' | 'call' | 'answer'> | undefined
  /** Makes the texts of a request void. */
  forget(id: string): void
}

/** The first word of such a text. */
const mark = 'hookgate1'

/**
 * Opens a signer, whose key is in this process's memory only: no file holds it, and it ends with the requests.
 *
 * INVARIANT: a text answers the one request that it was made for, by the digest of its call and a number that was never
 * used before, until that request ends, and once.
 */
export function openSignedAnswers(): SignedAnswers {
  const key = randomBytes(32)
  const open = new Map<string, { readonly request: OpenRequest; readonly nonce: string }>()

  function textOf({ id, call, endsAtMs }: OpenRequest, nonce: string, answer: RequestAnswer['answer']): string {
    const signed = JSON.stringify([id, call, endsAtMs, nonce, answer])
    return `${mark} ${id} ${answer} ${createHmac('sha256', key).update(signed).digest('base64url')}`
  }

  return {
    textsFor(request) {
      const nonce = randomBytes(16).toString('base64url')
      open.set(request.id, { request, nonce })
      return { approve: textOf(request, nonce, 'approve'), deny: textOf(request, nonce, 'deny') }
    },
    read(text) {
      const [first, id = '', answer] = text.trim().split(' ')
      const known = open.get(id)
      if (first !== mark || known === undefined || (answer !== 'approve' && answer !== 'deny')) return undefined
      const { request, nonce } = known
      if (!isSameSecret(text.trim(), textOf(request, nonce, answer)) || request.endsAtMs <= Date.now()) return undefined
      open.delete(id)
      return { id, call: request.call, answer }
    },
    forget: (id) => void open.delete(id),
  }
}
