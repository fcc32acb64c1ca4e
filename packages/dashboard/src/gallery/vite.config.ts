import { defineConfig } from 'vite';

/** Builds the gallery for test/browser/dashboard/gallery.spec.ts. The gallery is not a part of the dashboard's build. */
export default defineConfig({
  root: import.meta.dirname,
  build: { target: 'es2023', modulePreload: { polyfill: false }, assetsInlineLimit: 0, emptyOutDir: true },
});
