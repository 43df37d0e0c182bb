import { assetPath } from './assets'
import type { PageContext } from './layout'

/** `--ground` of the style sheet. */
export const themeColors = { light: '#fdfcfa', dark: '#17181a' } as const

/** What a browser needs to install the instance as an app, in the reader's language (W3C Application Manifest). */
export function manifestOf({ basePath, language, t, member }: PageContext, name: string) {
  const icon = (file: 'icon-192.png' | 'icon-512.png' | 'icon-maskable-512.png', purpose: string) => ({
    src: basePath + assetPath(file),
    sizes: file === 'icon-192.png' ? '192x192' : '512x512',
    type: 'image/png',
    purpose,
  })
  const home = `${basePath}/`
  const shelf =
    member === undefined
      ? []
      : [{ name: t.shell.library, url: `${basePath}/@${member.username}/library/watching` }]
  return {
    id: home,
    scope: home,
    start_url: home,
    name: name === '' ? 'kiroku' : name,
    short_name: 'kiroku',
    lang: language,
    display: 'standalone',
    theme_color: themeColors.light,
    background_color: themeColors.light,
    icons: [
      icon('icon-192.png', 'any'),
      icon('icon-512.png', 'any'),
      icon('icon-maskable-512.png', 'maskable'),
    ],
    shortcuts: [
      { name: t.shell.track, url: home },
      { name: t.shell.find, url: `${basePath}/search` },
      { name: t.calendar.title, url: `${basePath}/calendar` },
      ...shelf,
    ],
    share_target: {
      action: `${basePath}/share`,
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  }
}

/** Pages that a pointer rests on are fetched in advance (D110); what writes, or is somebody's own, is not. */
export const speculationRules = (basePath: string) => ({
  prefetch: [
    {
      where: {
        and: [
          {
            href_matches: ['/works/*', '/@*', '/seasons/*', '/calendar*', '/search*'].map(
              (path) => basePath + path,
            ),
          },
          { not: { selector_matches: '[data-dialog], [download]' } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
})

/** Without the base path. Its content changes with the base path alone: the number is that of its form. */
export const speculationPath = '/assets/speculation-1.json'
