import { existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export function imagesIn(images: string): readonly string[] {
  if (!existsSync(images)) return []
  return readdirSync(images)
    .filter((folder) => /^[0-9a-f]{2}$/.test(folder))
    .flatMap((folder) => readdirSync(join(images, folder)).map((name) => `${folder}/${name}`))
    .filter((name) => isImage(name))
    .sort()
}

export const isImage = (name: string): boolean =>
  /^[0-9a-f]{2}\/[0-9a-f]{32}-[0-9]{1,5}\.(?:webp|png)$/.test(name)

/**
 * Hard-links images below `to`, to outlive deletion. Returns where to read them: `images` if links are
 * impossible.
 */
export function linkImages(images: string, to: string): string {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of imagesIn(images)) {
    mkdirSync(join(to, name.slice(0, 2)), { recursive: true, mode: 0o700 })
    const outcome = tryLink(join(images, name), join(to, name))
    if (outcome === 'impossible') return images
  }
  return to
}

function tryLink(from: string, to: string): 'linked' | 'gone' | 'impossible' {
  try {
    linkSync(from, to)
    return 'linked'
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'EEXIST') return 'linked'
    return code === 'ENOENT' ? 'gone' : 'impossible'
  }
}
