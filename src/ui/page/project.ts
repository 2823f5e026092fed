import { computed, signal } from '@preact/signals'
import { here } from './location.ts'

const started = signal('')

/** The project that the page looks at: the one in the address, else the one that `hookgate ui` was started in. */
export const project = {
  /** The one that `hookgate ui` was started in. */
  started: computed(() => started.value),
  current: computed(() => here.value.params['project'] ?? started.value),
  start(folder: string): void {
    started.value = folder
  },
}
