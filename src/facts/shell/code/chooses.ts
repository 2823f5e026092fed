/**
 * Whether something is a file, a folder, a link, or there at all: asked of what is gone through, whatever its name. Nothing in
 * it is without an end: whoever writes the code would have it looked at for minutes.
 */
const kind =
  /(?:\b(?:if|elif|elsif|unless)\b\s{0,9})?\(?\s{0,9}(?:not\s{1,9}|!\s{0,9})?(?:(?<![\w$.])[\w$.]{0,99}\b(?:is_?(?:file|dir|directory|symlink|link)|isSymbolicLink|l?exists|existsSync|(?:file|directory|exist|symlink)\?)\s{0,9}\([^()]{0,99}(?:\([^()]{0,99}\)[^()]{0,99})?\)|-[fdel]\s{1,9}[$\w]+|-[fdel]\b(?!\w))/g

/** What leaves some of them out: a condition, a look at a name, a part of a list. */
const choice =
  /\b(?:if|elif|elsif|unless|when|and|continue|next|break|filter|grep|select|reject|fnmatch|match|test|ends_?[wW]ith|starts_?[wW]ith|end_with|start_with|includes|slice|take|first|last|drop|islice|suffix|extname)\b|&&|\[[^\][]{0,40}(?::|\.\.)[^\][]{0,40}\]/

/** Whether code leaves out some of the files that it goes through, so that not every one is meant. */
export const chooses = (source: string): boolean => choice.test(source.replaceAll(kind, ' '))
