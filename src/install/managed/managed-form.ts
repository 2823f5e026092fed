import type { Json } from '../../model/json.ts'
import type { SettingsFormat } from '../files/replace-settings.ts'

/** Reads and edits the text of an administrator's file, whatever its format. */
export interface ManagedForm {
  readonly format: SettingsFormat
  /** The text that a new file begins with. */
  readonly empty: string
  /** Returns the text with hookgate registered and pinned. @throws HookgateError `settingsMalformed` */
  added(text: string): string
  /**
   * Returns the text without what `added` puts into it.
   *
   * @param before the text from before that, as far as it is known
   * @throws HookgateError `settingsMalformed`
   */
  removed(text: string, before: string | undefined): string
  /** @throws HookgateError `settingsMalformed` */
  read(text: string): ManagedContent
}

/** The content of an administrator's file, as its agent reads it. */
export interface ManagedContent {
  readonly root: Json
  /** All handlers, each with its event. */
  readonly handlers: readonly { readonly event: string; readonly handler: unknown }[]
}
