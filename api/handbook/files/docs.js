// Draws the contract with Redoc (redoc.LICENSE.txt, MIT).
const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';

Redoc.init(
  '/docs/contract.yaml',
  {
    expandResponses: '200,202,204',
    jsonSamplesExpandLevel: 6,
    showExtensions: ['x-callers', 'x-extensible-enum'],
    sortRequiredPropsFirst: true,
    theme: {
      colors: { primary: { main: '#1f5f8b' } },
      sidebar: { width: '280px' },
      spacing: { sectionVertical: 20 },
      typography: {
        fontFamily: sans,
        fontSize: '15px',
        headings: { fontFamily: sans },
        code: { fontFamily: mono, fontSize: '13px' },
      },
    },
  },
  document.getElementById('contract'),
);
