import type { HookExit, HookProcess } from '../model/process.ts'

/**
 * Messages between the gate and its companion, as structured clones over a private channel.
 * Both are this code of this version, as a thread and its owner are, so there is no schema between them.
 */
export type CompanionRequest =
  /** `lingers`: a background hook, which may outlive the gate. */
  | { readonly kind: 'run'; readonly id: number; readonly hook: HookProcess; readonly lingers: boolean }
  | { readonly kind: 'cancel'; readonly id: number }
  /** End everything, background hooks included. */
  | { readonly kind: 'close' }

export type CompanionReply =
  /** Sent at once, so that the gate can end the hook if the companion dies. */
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'ended'; readonly id: number; readonly exit: HookExit }
