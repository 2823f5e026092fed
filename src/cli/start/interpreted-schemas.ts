import { config } from 'zod'

/**
 * Makes every schema that is loaded from here on check values step by step. By default each compiles itself with its
 * first value, which takes longer than checking the few values of one event, and pays only in a program that lives on.
 */
export const interpretSchemas = () => void config({ jitless: true })
