import '../ui/tokens.css';
import '../ui/base.css';
import './gallery.css';
import '../ui/more-icons';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ToastProvider, UiWordsProvider } from '../ui';
import { ui as german } from '../words/de/every-screen';
import { ui as english } from '../words/en/every-screen';
import { Gallery } from './gallery';

const language = new URLSearchParams(location.search).get('lang') === 'de' ? 'de' : 'en';
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element "root".');
document.documentElement.lang = language;
createRoot(root).render(
  <StrictMode>
    <UiWordsProvider value={language === 'de' ? german : english}>
      <ToastProvider>
        <Gallery />
      </ToastProvider>
    </UiWordsProvider>
  </StrictMode>,
);
