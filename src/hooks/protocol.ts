import type { HookExit, HookProcess } from '../model/process.ts'

/**
 * What the gate and its companion say to each other, over a channel that nobody else holds and in structured clones.
 * Both are this code of this version, as a thread and its owner are, so there is no schema between them.
 */
export type Request =
  /** `lingers`: it may outlive the gate. */
  | { readonly kind: 'run'; readonly id: number; readonly hook: HookProcess; readonly lingers: boolean }
  | { readonly kind: 'cancel'; readonly id: number }
  /** End everything, what lingers too. */
  | { readonly kind: 'close' }

export type Reply =
  /** Told at once, so that the gate can end the hook should the companion die. */
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'ended'; readonly id: number; readonly exit: HookExit }
