import { type Applicable, indeterminate, notApplicable, type Outcome } from '../../model/evaluation.ts'
import { sayable } from '../../model/text.ts'

// The parts of an outcome that are common to the hooks of every agent.

type OutcomeParts = { readonly [Key in keyof Omit<Applicable, 'kind'>]?: Applicable[Key] | undefined }

/** Makes an outcome of its parts. Without parts the hook abstained, or, if it failed, is indeterminate. */
export function applicable({ effect, reason, obligations = [], advice = [], failure }: OutcomeParts): Outcome {
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

/**
 * INVARIANT: a rewrite that cannot be carried out refuses; as a mere failure it could run the call it was meant to
 * change.
 */
export function refusedRewrite(why: string): Outcome {
  return applicable({ effect: 'deny', reason: why, failure: { code: 'notTranslatable', message: why } })
}

/** Sanitises a text for display; returns `undefined` if nothing is left. */
export function said(text: string | undefined): string | undefined {
  const clean = sayable(text ?? '')
  return clean === '' ? undefined : clean
}
