import type { SourceFetch, SourceFetchTools } from './asked'
import { fetchFile } from './local-file'
import { refusalOf, withoutToken } from './refused'
import { targetOf } from './target'
import { fetchFromWeb } from './web'

/** The only way for sources to reach the network. */
export const createSourceFetch =
  (tools: SourceFetchTools): SourceFetch =>
  async (source, request, options) => {
    try {
      const target = targetOf(source, request, options.location, tools.env)
      return 'path' in target
        ? await fetchFile(target.path, source.maxBytes, options)
        : await fetchFromWeb(tools, { source, request, options, target })
    } catch (cause) {
      throw withoutToken(refusalOf(cause), options.token)
    }
  }
