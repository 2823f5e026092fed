import { everywhere, type JudgedChange } from './edited-files.ts'
import { defines } from './lost-guards.ts'

const opensTest =
  /\b(?:it|test|describe|context|suite)\s*(?:\.\w+)?\(|\bdef test_|\bfunc Test|@Test\b|#\[(?:tokio::)?test\]|\bfun `|\bTest\w*\(/
const skips =
  /\b(?:it|test|describe|context|suite)\.skip\(|\bx(?:it|describe|test|context)\s*\(|@(?:pytest\.mark\.skip|unittest\.skip|Disabled|Ignore)\b(?!if|If|Unless)|\bt\.Skip(?:Now)?\(|#\[ignore|\bpytest\.skip\(|^\s*(?:self\.)?skip\s+["']|\bpending\(/m
const empty =
  /assert(?:_eq)?!\(\s*(?:true|1\s*,\s*1)\s*\)|\bbe_nil\.or\b|expect\(\s*(true|1|["']\w*["'])\s*\)\.(?:to(?:Be|Equal|Eq)\w*|to\.equal|to\.be)\(?\s*\1?|^\s*assert\s+(?:True|1\s*==\s*1)\b|\bassertTrue\(\s*true\s*[,)]/im
const asserting = /\b(?:expect|(?:prop_)?assert\w*|should|require\.\w+|XCTAssert\w*)\b/

/** Matchers that nearly everything meets. */
const vague =
  /\.(?:toBeDefined|toBeTruthy|not\.toThrow|not\.toBeNull|toBeInstanceOf)\(|\bassertNotN(?:one|ull)\(|\bis not None\b|\bexpect\.any(?:thing)?\(|\bbe_(?:present|truthy)\b|\bassert_not_nil\b|\bNotTo\(BeNil\(\)|\bassert\.(?:NotNil|ok)\(|!=\s*nil\b/
const precise =
  /\.(?:to(?:Strict)?Equal|toBe|toMatchObject|toHaveBeenCalledWith|toThrow\w*|rejects)\(|\bassert\w*Equals?\(|\bassert_eq!?\(|\bassertRaises\w*\(|\bpytest\.raises\(|\braise_error\b|\bassert\b[^\n]*==|\bto eq\b|\bassert\.(?:Equal|Error)\w*\(|\bEqual\(|\bassertThrows\(|\bassert_raises?\b/

/** Code around tests that has each of them pass. */
const forced =
  /\boutcome\s*=\s*["']passed|\bexit_?(?:status|code)\s*=\s*0\b|\bprocess\.exit\(\s*0\s*\)|\bos\._exit\(\s*0/i

/** Returns how a change of tests has them pass always. */
export function lostTest({ removed, added, isTest }: JudgedChange): string | undefined {
  if (!isTest) return undefined
  if (forced.test(added) && !forced.test(removed)) return 'would have tests pass whatever happens'
  const more = (added.match(everywhere(skips))?.length ?? 0) > (removed.match(everywhere(skips))?.length ?? 0)
  if (more && (opensTest.test(removed) || !opensTest.test(added.replaceAll(everywhere(skips), ''))))
    return 'would skip a test'
  if (empty.test(added) && !empty.test(removed) && asserting.test(removed))
    return 'would have a test pass whatever happens'
  const exact = count(removed, precise)
  if (exact > 0 && count(added, precise) === 0) {
    if (vague.test(added)) return 'would have a test accept nearly everything'
    if (!opensTest.test(removed) && !defines.test(removed) && count(added, asserting) === 0)
      return 'would have a test check less'
  }
  return undefined
}

const count = (text: string, look: RegExp) => text.match(everywhere(look))?.length ?? 0
