import type { AnswerOf } from '../../../api.ts'

/** The history as the server sends it. */
export type ShownHistory = NonNullable<AnswerOf<'history'>['history']>
