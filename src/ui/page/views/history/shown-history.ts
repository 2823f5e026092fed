import type { AnswerOf } from '../../../api.ts'

/** What was decided, as the server tells it. */
export type ShownHistory = NonNullable<AnswerOf<'history'>['history']>
