/** Sentences that take the person out, and options that do. */
const leavingOut =
  /\b(?:without|never|do not|don't|no need to|instead of)\s+(?:\w+\s+){0,3}(?:ask\w*|confirm\w*|approv\w*|permission|mention\w*|tell\w*)|\b(?:pre-?approved|auto-?approve)|--no-verify|--dangerously|skip-permissions|\b(?:ignore|bypass|disable|work around|overrid\w*)\s+(?:\w+\s+){0,4}(?:hooks?|gates?|guards?|warnings?|permissions?|system instructions|safety)|\bapprove\s+(?:\w+\s+){0,3}(?:prompts?|tools?|requests?)/i

/** True for a text that tells an agent to go on without the person: unasked, unseen, or past what guards it. */
export const leavesPersonOut = (text: string): boolean => leavingOut.test(text)
