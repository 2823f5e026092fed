import { type Applicable, indeterminate, notApplicable, type Outcome } from '../model/evaluation.ts'
import { sayable } from '../model/text.ts'

// What hooks of every agent mean alike, however it is spelled.

type Parts = { readonly [Key in keyof Omit<Applicable, 'kind'>]?: Applicable[Key] | undefined }

/** An outcome of what there is. One with nothing in it is a hook that said nothing; if it failed, that is all it did. */
export function applicable({ effect, reason, obligations = [], advice = [], failure }: Parts): Outcome {
  if (effect === undefined && obligations.length + advice.length === 0) {
    return failure === undefined ? notApplicable : indeterminate(failure)
  }
  return {
    kind: 'applicable',
    ...(effect && { effect }),
    ...(effect && reason !== undefined && { reason }),
    obligations,
    advice,
    ...(failure && { failure }),
  }
}

/** INVARIANT: a rewrite that cannot be carried out refuses; counted as a mere failure it would run what it forbids. */
export function refusedRewrite(why: string): Outcome {
  return applicable({ effect: 'deny', reason: why, failure: { code: 'notTranslatable', message: why } })
}

/** A text fit to be said; none where there is nothing in it. */
export function said(text: string | undefined): string | undefined {
  const clean = sayable(text ?? '')
  return clean === '' ? undefined : clean
}
