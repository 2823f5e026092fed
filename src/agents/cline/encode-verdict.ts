import type { Answer } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import type { Verdict } from '../../model/verdict.ts'
import { supportedPart } from '../codec/supported-verdict.ts'
import { support } from './engine.ts'
import { cline } from './index.ts'

/**
 * Encodes a verdict for Cline: one JSON object on stdout, with exit code 0 even for a refusal.
 *
 * INVARIANT: never another exit code. Engines A and B discard the output of a hook that exits with any other, and the
 * tool runs (measured on CLI 2.18.0; `HookProcess.ts` rejects before stdout is read). Engine C ignores the code.
 */
export function encodeVerdict(event: HookEvent, verdict: Verdict): Answer {
  const supported = supportedPart(event, verdict, support(event), cline.title)
  const { context, cut } = fitted(supported.context)
  const denied = supported.decision === 'deny'
  const answer = {
    cancel: denied,
    // Only with a cancel: without one, engine C passes it to the model as context.
    ...(denied ? { errorMessage: supported.reason } : {}),
    ...(context === '' ? {} : { contextModification: context }),
    ...(supported.replaceInput === undefined ? {} : { overrideInput: supported.replaceInput }),
  }
  const stderrTexts = [
    ...(denied ? [supported.reason] : []),
    ...[...supported.unexpressed, ...cut].map((text) => text.replace(/^/gm, 'hookgate: ')),
  ]
  return {
    stdout: `${JSON.stringify(answer)}\n`,
    stderr: stderrTexts.map((text) => `${text}\n`).join(''),
    exitCode: 0,
  }
}

/** Truncates a context visibly and between whole characters: Cline truncates at the same length without either. */
function fitted(context: string): { readonly context: string; readonly cut: readonly string[] } {
  const max = limits.clineContextCharactersMax
  if (context.length <= max) return { context, cut: [] }
  const marker = `\n\n[… cut by hookgate: Cline takes ${max} characters]`
  const end = max - marker.length
  const splitsPair = /[\ud800-\udbff]/.test(context.charAt(end - 1))
  return {
    context: `${context.slice(0, splitsPair ? end - 1 : end)}${marker}`,
    cut: [`the context has ${context.length} characters and was cut to ${max}, the most that Cline takes`],
  }
}
